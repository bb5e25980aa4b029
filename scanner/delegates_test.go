package scanner_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// readings and letters implement the same protocols of Apple's frameworks, each for data of its own.
const (
	readings = `import UIKit

final class ReadingsController: UITableViewController {
    private var stations: [Station] = []

    override func numberOfSections(in tableView: UITableView) -> Int {
        return stations.count
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        return stations[section].readings.count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "Reading", for: indexPath)
        cell.textLabel?.text = stations[indexPath.section].readings[indexPath.row].millimetres
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        chart(stations[indexPath.section])
    }
}
`
	letters = `import UIKit

final class LettersController: UITableViewController {
    var drawers = [Drawer]()

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        open(letter(at: indexPath))
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        drawers.letters(in: section)
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "Letter", for: indexPath)
        cell.detailTextLabel?.text = sender(at: indexPath)
        return cell
    }
}
`
)

// TestDelegates: two programs that implement one protocol of a framework are no copies of each other. A copy of either is found.
func TestDelegates(t *testing.T) {
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"Readings.swift": readings}}))
	none(t, tree(t, s, files{"Letters.swift": letters}.dir(t)))
	edited := strings.NewReplacer("return cell", "mark(cell)\n        return cell").Replace(readings)
	one(t, tree(t, s, files{"Copy.swift": edited}.dir(t)))
}
