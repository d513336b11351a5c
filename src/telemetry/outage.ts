/** State of a dependency. Callers log only the beginning, a new reason and the end of an outage. */
export class Outage {
  isOut = false
  #reason: string | undefined

  /**
   * Records a failure. Returns true if the failure begins an outage, or has another reason than the failures before.
   *
   * @param reason - undefined if unknown: a known reason stays
   */
  begins (reason?: string): boolean {
    const isNews = !this.isOut || (reason !== undefined && reason !== this.#reason)
    if (isNews) this.#reason = reason
    this.isOut = true
    return isNews
  }

  /** Records a success. Returns true if the success ends an outage. */
  ends (): boolean {
    const isNews = this.isOut
    this.isOut = false
    return isNews
  }
}
