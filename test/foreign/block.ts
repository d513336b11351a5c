import { fencesOf } from '../support/documentation.js'

/** Returns the first code block of a document that contains a text. */
export function blockOf (document: string, text: string): string {
  const fence = fencesOf(document).find(fence => fence.text.includes(text))
  if (fence === undefined) throw new Error(`${document} has no block with ${text}`)
  return fence.text
}
