package scanner_test

import (
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// outcomes and shipments implement one trait of a library, each for data of its own: one with the word override, one without.
const (
	outcomes = `package store

import cats._

object Outcome {
  implicit val storeBitraverseForOutcome: Bitraverse[Outcome] =
    new Bitraverse[Outcome] {
      def bitraverse[G[_], A, B, C, D](fab: Outcome[A, B])(f: A => G[C], g: B => G[D])(implicit G: Applicative[G]): G[Outcome[C, D]] =
        fab match {
          case Refused(a) => G.map(f(a))(Outcome.refused)
          case Granted(b) => G.map(g(b))(Outcome.granted)
        }

      def bifoldLeft[A, B, C](fab: Outcome[A, B], c: C)(f: (C, A) => C, g: (C, B) => C): C =
        fab match {
          case Refused(a) => f(c, a)
          case Granted(b) => g(c, b)
        }

      def bifoldRight[A, B, C](fab: Outcome[A, B], c: Eval[C])(f: (A, Eval[C]) => Eval[C], g: (B, Eval[C]) => Eval[C]): Eval[C] =
        fab match {
          case Refused(a) => f(a, c)
          case Granted(b) => g(b, c)
        }
    }
}
`
	shipments = `package freight

import cats._

object Shipment {
  implicit val bitraverse: Bitraverse[Shipment] =
    new Bitraverse[Shipment] {
      override def bitraverse[G[_], A, B, C, D](fab: Shipment[A, B])(f: A => G[C], g: B => G[D])(implicit G: Applicative[G]): G[Shipment[C, D]] =
        G.product(f(fab.sender), g(fab.parcel)).map { case (c, d) => fab.withParcel(c, d) }

      override def bifoldLeft[A, B, C](fab: Shipment[A, B], c: C)(f: (C, A) => C, g: (C, B) => C): C =
        g(f(c, fab.sender), fab.parcel)

      override def bifoldRight[A, B, C](fab: Shipment[A, B], c: Eval[C])(f: (A, Eval[C]) => Eval[C], g: (B, Eval[C]) => Eval[C]): Eval[C] =
        g(fab.parcel, f(fab.sender, c))
    }
}
`
)

// TestTypeClasses: two types that implement one trait of Scala are no copies of each other, whether they say override or not, in braces
// or indented. A copy is found, also if the word was added to it.
func TestTypeClasses(t *testing.T) {
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"Outcome.scala": outcomes}}))
	none(t, tree(t, s, files{"Shipment.scala": shipments}.dir(t)))
	marked := strings.NewReplacer("      def ", "      override def ").Replace(outcomes)
	one(t, tree(t, s, files{"Copy.scala": marked}.dir(t)))
	s = scan(t, scanner.Options{}, based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"Shipment.scala": shipments}}))
	none(t, tree(t, s, files{"Outcome.scala": outcomes}.dir(t)))
	indented := strings.NewReplacer("[Outcome] {\n", "[Outcome]:\n", "object Outcome {\n", "object Outcome:\n", "\n    }\n}\n", "\n").Replace(outcomes)
	none(t, tree(t, s, files{"Outcome.scala": indented}.dir(t)))
	s = scan(t, scanner.Options{}, based(t, pack{"pkg:generic/known@1", "MIT", "2020-01-01", files{"Outcome.scala": outcomes}}))
	one(t, tree(t, s, files{"Copy.scala": indented}.dir(t)))
}
