// The build bundles TypeBox into this file: its hundreds of small files take a quarter of the service's start.
export { Type } from '@sinclair/typebox'
export { Value } from '@sinclair/typebox/value'
export type { Static, TSchema } from '@sinclair/typebox'
