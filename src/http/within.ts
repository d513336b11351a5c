/**
 * Returns the result of work that must end in time. Otherwise rejects with the error of `late`, and aborts the signal;
 * work that ignores it goes on, and nobody waits for it.
 */
export async function within<Result> (
  milliseconds: number, work: (signal: AbortSignal) => Result | Promise<Result>, late: () => Error
): Promise<Result> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = late()
      reject(error)
      controller.abort(error)
    }, milliseconds).unref()
  })
  try {
    return await Promise.race([(async () => work(controller.signal))(), isLate]) // work may also throw at once
  } finally {
    clearTimeout(timer) // work that has ended is not aborted
  }
}
