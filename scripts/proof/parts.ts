import type { Part } from './part.js'
import { differential } from './differential.js'
import { strict } from './strict.js'

/** All parts, in the order of the report. */
export const parts: Part[] = [
  differential,
  strict
]
