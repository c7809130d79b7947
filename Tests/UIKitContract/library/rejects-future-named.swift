// expect: missing argument for parameter 'variableValue'
func f() -> FutureImage? { FutureImage(named: "picture") }
