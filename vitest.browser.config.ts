/** `npx vitest run FILE` runs any file: vitest.config.ts. */
export { default } from './vitest.config.ts'
