/** State of a dependency. The log gets one line when an outage begins, and one when the outage ends. */
export class Outage {
  isOut = false

  /** Records a failure. Returns true if the failure begins an outage. */
  begins (): boolean {
    return this.#set(true)
  }

  /** Records a success. Returns true if the success ends an outage. */
  ends (): boolean {
    return this.#set(false)
  }

  #set (isOut: boolean): boolean {
    const isNews = isOut !== this.isOut
    this.isOut = isOut
    return isNews
  }
}
