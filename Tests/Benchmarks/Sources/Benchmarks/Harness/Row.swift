import Foundation

/// One figure and its target: a ratio to a reference measured in the same run, a multiple of the yardstick, or a fixed limit.
struct Row: Codable, Sendable {
  var name: String
  var ours: Double
  var reference: Double?
  /// The library's figure divided by the reference's figure. In a row that is judged by its ratio, this is the median of the ratios of all
  /// rounds, which a busy machine changes less than either figure.
  var ratio: Double?
  /// The highest ratio that passes; nil if the row has a limit instead or is not judged.
  var target: Double?
  /// The time of one yardstick, in the unit of `ours`.
  var yardstick: Double?
  /// `ours` in yardsticks: the median of the multiples of all rounds.
  var multiple: Double?
  /// The limit of `multiple`, or of `ours` if no yardstick was measured.
  var limit: Double?
  var unit: String
  /// Half of the distance between the quartiles of the judged number, relative to its median.
  var spread: Double?
  var ok = true
  var note: String?

  /// Creates a row that is judged by its ratio.
  init(_ name: String, _ comparison: Comparison, target: Double?, unit: String, scale: Double = 1, note: String? = nil) {
    self.name = name
    ours = comparison.ours.median * scale
    reference = comparison.reference.median * scale
    let ratios = zip(comparison.ours, comparison.reference).map { $0 / $1 }
    ratio = ratios.median
    spread = ratios.spread
    self.target = target
    self.unit = unit
    self.note = note
    ok = target.map { ratios.median <= $0 } ?? true
  }

  /// Creates a row that is judged by its multiple of the yardstick.
  /// - Parameter measured: the figure, with the yardstick as its reference.
  /// - Parameter limit: the limit in yardsticks.
  init(
    _ name: String, relativeToYardstick measured: Comparison, limit: Double, unit: String, scale: Double = 1, reference: [Double]? = nil
  ) {
    let multiples = zip(measured.ours, measured.reference).map { $0 / $1 }
    self.init(name, measured.ours, limit: limit, unit: unit, scale: scale, reference: reference)
    yardstick = measured.reference.median * scale
    multiple = multiples.median
    spread = multiples.count > 1 ? multiples.spread : nil
    ok = multiples.median <= limit
  }

  /// Creates a row that is judged by its own figure, or that is not judged if `limit` is nil.
  init(_ name: String, _ values: [Double], limit: Double?, unit: String, scale: Double = 1, reference: [Double]? = nil, note: String? = nil)
  {
    self.name = name
    let ours = values.median * scale
    let reference = reference.map { $0.median * scale }
    self.ours = ours
    self.reference = reference
    ratio = reference.flatMap { $0 > 0 ? ours / $0 : nil }
    spread = values.count > 1 ? values.spread : nil
    self.limit = limit
    self.unit = unit
    self.note = note
    ok = limit.map { ours <= $0 } ?? true
  }

  /// The number that the target or the limit applies to.
  var judged: Double { limit == nil ? ratio ?? ours : multiple ?? ours }

  init(json: String) throws {
    self = try JSONDecoder().decode(Row.self, from: Data(json.utf8))
  }

  /// Returns the row as one line of JSON, which the parent process reads.
  func json() throws -> String { try oneLine(self) }
}

/// The output of `--json` for a row. Missing values are written as null.
struct Report: Encodable {
  private enum CodingKeys: CodingKey {
    case name, ours, reference, ratio, target, yardstick, multiple, limit, unit, ok
  }

  private let row: Row

  init(_ row: Row) {
    self.row = row
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(row.name, forKey: .name)
    try container.encode(row.ours, forKey: .ours)
    try container.encode(row.reference, forKey: .reference)
    try container.encode(row.ratio, forKey: .ratio)
    try container.encode(row.target, forKey: .target)
    try container.encode(row.yardstick, forKey: .yardstick)
    try container.encode(row.multiple, forKey: .multiple)
    try container.encode(row.limit, forKey: .limit)
    try container.encode(row.unit, forKey: .unit)
    try container.encode(row.ok, forKey: .ok)
  }

  func json() throws -> String { try oneLine(self) }
}

private func oneLine(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

extension [Double] {
  var median: Double { quantile(0.5) }

  var spread: Double { median > 0 ? (quantile(0.75) - quantile(0.25)) / 2 / median : 0 }

  func quantile(_ part: Double) -> Double {
    let sorted = sorted()
    guard let last = sorted.last else { return 0 }
    let place = part * Double(count - 1)
    let below = Int(place)
    return below + 1 < count ? sorted[below] + (sorted[below + 1] - sorted[below]) * (place - Double(below)) : last
  }
}
