// expect: main actor-isolated
func f() -> FutureImage.Presentation { FutureImage.Presentation(retriesOnTap: true) }
