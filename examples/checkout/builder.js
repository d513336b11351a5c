/** Has the setters that the vendor's builder has, and does nothing: the vendor hands its library to merchants only. */
class StandIn {
  setSignature () {}
  setSid () {}
  setClientTimeStamp () {}
  setAmount () {}
  setOrderId () {}
}

/** The builder's class that a script on the page names in its data-builder; the stand-in if there is none. */
function builderClass () {
  const path = document.querySelector('script[data-builder]')?.dataset.builder
  return path?.split('.').reduce((object, name) => object[name], globalThis) ?? StandIn
}

/** A new builder, its name, and a list that gets each call on it. */
export function recordedBuilder () {
  const Builder = builderClass()
  const calls = []
  const builder = new Proxy(new Builder(), {
    get (target, name) {
      const value = target[name]
      if (typeof value !== 'function') return value
      return (...args) => {
        calls.push({ name, args })
        return value.apply(target, args)
      }
    }
  })
  return { builder, calls, name: Builder === StandIn ? 'the stand-in' : Builder.name }
}
