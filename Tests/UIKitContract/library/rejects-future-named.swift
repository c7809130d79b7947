// expect: missing argument for parameter 'variableValue'
import FutureImage
func f() -> FutureImage? { FutureImage(named: "picture") }
