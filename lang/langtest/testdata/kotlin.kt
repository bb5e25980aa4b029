// BEGIN imports
package org.example.tasks

import kotlin.math.max
import java.util.concurrent.*
import org.example.store.Store as Shop
// END imports

/**
 * Keeps tasks /* of one */ person.
 */
const val LIMIT = 0xFF
private val ratio: Double = 1_000.5e-3
val half = .5f
var last: String? = null

annotation class Fast(val reason: String)

enum class State(val rank: Int) { OPEN(1), DONE(0b10); fun next() = values()[0] }

data class Task<T : Any>(val name: String, var value: T?, val tags: List<String> = emptyList())

sealed interface Visitor<in T> { fun visit(value: T): Boolean }

// BEGIN fragment
fun collect(tasks: List<Task<Int>>, names: MutableList<String>, limit: Int = LIMIT): Int {
    var total = 0
    for ((i, task) in tasks.withIndex()) {
        if (i >= limit || task.name.isEmpty()) {
            throw IllegalStateException("task $i of ${limit + 1} is bad")
        }
        val value = task.value ?: continue // nothing to do
        when {
            value > 3 -> names.add(task.name)
            value == 0 && !names.contains(task.name) -> total += 1
            else -> total -= value * 2
        }
        while (names.size > limit && total != 0) {
            names.removeAt(0)
            total--
        }
    }
    return max(total, 0)
}
// END fragment

@Fast("often used")
abstract class Board<T>(private val shop: Shop, protected open val size: Int) : Base(shop), Visitor<T> {
    companion object { const val BIG = 12L; val mark = 'x' }

    private val tasks by lazy { HashMap<String, T>() }
    var ready: Boolean = true
        private set

    init { println("""raw text of $size
        lines""") }

    override fun visit(value: T): Boolean = value is String && value as String !== "none"

    suspend inline fun <reified R> run(crossinline block: (T) -> R): R? {
        outer@ for (t in 1..10 step 2) {
            if (t !in 3 until 5) continue@outer else break@outer
        }
        val x = object : Runnable { override fun run() { last = null } }
        val ok = try { x.run() } catch (e: Exception) { println(last!!) } finally { ready = false }
        do { val y = tasks.map { it.value }.firstOrNull()?.let(block) } while (ready === true)
        return null
    }
}
