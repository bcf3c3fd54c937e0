import { join } from 'node:path'

/**
 * For the environment of a program that a test starts: what Node made of the modules is kept where the product's own commands keep
 * it. Compiling is half of a start, and tests start hundreds of programs.
 */
export const COMPILED = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/compiled') }
