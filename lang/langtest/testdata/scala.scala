// BEGIN imports
import scala.collection.mutable
import scala.util.{Failure, Success => Ok}
// END imports

/** Keeps tasks.
  * All of them.
  */
object Tasks extends App {
  val Limit = 0xff
  val ratio: Double = 1.5e-3
  var last: String = null
  private lazy val mark = 'x'
  type Names = List[String]
  val raw = """raw "text"
    on two lines"""

  sealed trait State
  case object Open extends State
  case class Done(at: Long, by: String = "me") extends State with Serializable

  @inline implicit def toState(n: Int): State = if (n > 0) Open else Done(12L)

  // BEGIN fragment
  def collect(tasks: Seq[Task[Int]], names: mutable.Buffer[String], limit: Int = Limit): Int = {
    var total = 0
    for ((task, i) <- tasks.zipWithIndex if task != null) {
      if (i >= limit || task.name.isEmpty) {
        throw new IllegalStateException(s"task $i of ${limit + 1} is bad")
      }
      task.value match {
        case Some(v) if v > 3 => names += task.name
        case Some(0) => total += 1 // nothing to do
        case _ => total -= i * 2
      }
      while (names.size > limit && total != 0) {
        names.remove(0)
        total -= 1
      }
    }
    math.max(total, 0)
  }
  // END fragment

  abstract class Task[+T](val name: String, protected val tags: Names) {
    def value: Option[T]
    override def toString: String = f"$name%s has ${tags.length}%d tags"
    def map[U >: T](f: T => U): Task[U]
  }

  /* Futures /* and */ more. */
  final def run(block: => Unit)(implicit n: Int): Either[String, Boolean] = {
    try { block } catch { case e: Exception => println(e) } finally { last = "done" }
    do { last = last.drop(1) } while (last.length >= 2 && !last.isEmpty)
    val add = (a: Int, b: Int) => a << 1 | b & ~3
    val pairs = for { x <- 1 to 3; y <- List(2.5f, 1.0) } yield x -> y
    val t = (true, false, mark == 'y')
    if (t._1) Right(pairs.exists(_._1 == add(1, -2))) else Left("no")
  }
}
