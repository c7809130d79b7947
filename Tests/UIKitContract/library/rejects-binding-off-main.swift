// expect: main actor-isolated
func f(_ view: UIImageView, _ future: FutureImage) { view.futureImage = future }
