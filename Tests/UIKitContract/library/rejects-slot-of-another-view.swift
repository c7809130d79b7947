// expect: requires that 'UILabel' inherit from 'UIButton'
import FutureImage
@MainActor func f(_ label: UILabel, _ future: FutureImage) { FutureImage.Slot<UILabel>.image(for: .normal).display(future, in: label) }
