// expect: requires that 'UILabel' inherit from 'UIButton'
@MainActor func f(_ label: UILabel, _ future: FutureImage) { future.show(in: label, .image(for: .normal)) }
