// expect: cannot convert return expression
import FutureImage
func f(_ future: FutureImage) -> FutureImage { future.withRenderingMode(.alwaysTemplate) }
