/// What happened, a line for each change of threads.
struct Story {
  let isOn: Bool
  private var lines: [String] = []
  /// Of all lines: two runs of one seed have the same.
  private(set) var digest: UInt64 = 14_695_981_039_346_656_037

  init(isOn: Bool) { self.isOn = isOn }

  mutating func note(_ line: @autoclosure () -> String) {
    guard isOn else { return }
    let line = line()
    // FNV-1a.
    for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 1_099_511_628_211 }
    lines.append(line)
  }

  func print() {
    for (number, line) in lines.enumerated() { Swift.print("\(number + 1). \(line)") }
  }
}
