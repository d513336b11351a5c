/** Has the setters of the payment library's builder. The vendor gives the library to merchants only. */
class StandIn {
  setSignature () {}
  setSid () {}
  setClientTimeStamp () {}
  setMerchantAccountNumber () {}
  setAmount () {}
  setOrderId () {}
  setTransactionFCRN () {}
  setTransactionId () {}
  setIdType () {}
}

/** Returns the builder class that a script of the page names in `data-builder`, or the stand-in. */
function builderClass () {
  const path = document.querySelector('script[data-builder]')?.dataset.builder
  return path?.split('.').reduce((object, name) => object[name], globalThis) ?? StandIn
}

/** Returns a new builder, its name, and a list that records each call of its methods. */
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
