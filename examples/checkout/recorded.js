/** Stand-in for a page without the Web SDK. Each property is a function that returns the stand-in. */
const standIn = new Proxy({}, { get: () => () => standIn })

/** Returns the Web SDK, or the stand-in, and a list of the calls of its methods and of its builders' methods. */
export function recorded (library = standIn) {
  const calls = []
  const recording = target => new Proxy({}, {
    get (_target, name) {
      if (typeof target[name] !== 'function') return target[name]
      return (...args) => {
        calls.push({ name, args })
        const returned = target[name](...args)
        return name === 'send' ? returned : recording(returned)
      }
    }
  })
  return { sdk: recording(library), calls }
}
