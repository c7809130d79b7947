// expect: incorrect argument label in call (have 'named:'
func f() -> FutureImage? { FutureImage(named: "picture") }
