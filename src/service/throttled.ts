/** How often it is said that something happens, in milliseconds. */
const interval = 10_000

/**
 * A function that calls `say` at once, and while it is called more often only once in an interval: with how often that
 * was, and what it was called with last.
 */
export function throttled<Subject> (say: (times: number, latest: Subject) => void): (subject: Subject) => void {
  let times = 0
  let latest: Subject
  let timer: NodeJS.Timeout | undefined

  function flush (): void {
    timer = undefined
    if (times === 0) return
    say(times, latest)
    times = 0
    timer = setTimeout(flush, interval).unref()
  }

  return subject => {
    times++
    latest = subject
    if (timer === undefined) flush()
  }
}
