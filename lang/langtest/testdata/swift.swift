// BEGIN imports
import Foundation
import struct Darwin.stat
// END imports

/* Keeps readings /* nested */
   in memory. */
let limit = 0xFF + 0b11 + 0o17
let ratio: Double = 1_000.5e-3
private var last: String? = nil

/// What went wrong.
enum Failure: Error, Equatable {
    case empty, tooLong(Int)
    indirect case nested(Failure)
}

protocol Store: AnyObject {
    associatedtype Item
    var count: Int { get set }
    func item(at index: Int) throws -> Item?
}

@frozen
public struct Reading<T: Comparable>: Hashable where T: Hashable {
    let name: String
    var values: [T] = []
    static let mark: Character = "x"
    var isOpen: Bool { return !values.isEmpty }

    init?(name: String, _ rest: T...) {
        guard name.count > 0 else { return nil }
        self.name = name
        self.values = rest
    }

    subscript(i: Int) -> T { values[i] }
}

// BEGIN fragment
func collect(readings: [Reading<Int>], names: inout [String], limit: Int) throws -> Int {
    var total = 0
    for (i, reading) in readings.enumerated() {
        if i >= limit || reading.name.isEmpty {
            throw Failure.tooLong(i)
        }
        guard let first = reading.values.first else {
            continue // nothing measured
        }
        switch first {
        case 0:
            total += 1
        case 1...3 where total != 0:
            names.append("\(reading.name) of \(limit)")
        default:
            total -= first * 2
        }
        while names.count > limit && total > 0 {
            names.removeLast()
            total = total - 1
        }
    }
    return total
}
// END fragment

final class Board: NSObject, Store {
    typealias Item = String
    weak var parent: Board?
    var count: Int = 0 { didSet { last = "set" } }
    lazy var table: [String: Int] = ["one": 1, "two": 2]

    override func item(at index: Int) throws -> String? {
        let raw = #"raw "text""#
        let block = """
            some text
            """
        let add = { (a: Int, b: Int) -> Int in a << 1 | b & ~3 }
        defer { count ^= 1 }
        do {
            let n = try table[raw] ?? add($0, -1)
            repeat { count -= 1 } while count >= 0
            if let p = parent as? Board, n == 1 { return p.table.isEmpty ? block : nil }
        } catch let e as Failure {
            print(e, true, false)
        }
        #if os(Linux)
        return last!
        #else
        return self.parent?.description
        #endif
    }
}
