// expect: requires that 'UILabel' inherit from 'UIButton'
import FutureImage
@MainActor func f(_ label: UILabel, _ future: FutureImage) { future.show(in: label, .image(for: .normal)) }
