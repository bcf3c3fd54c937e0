/** `npx vitest run FILE` runs any file: vitest.config.ts. */
process.env.DATABASE = 'postgres'
export default (await import('./vitest.config.ts')).default
