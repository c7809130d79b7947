// expect: cannot convert return expression
func f(_ future: FutureImage) -> FutureImage { future.withRenderingMode(.alwaysTemplate) }
