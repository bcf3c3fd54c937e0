import { join } from 'node:path'

/**
 * The environment of programs that tests start: Node stores compiled modules where the product's own commands store
 * them. Compiling takes half the time of a start, and tests start hundreds of programs.
 */
export const COMPILED = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/compiled') }
