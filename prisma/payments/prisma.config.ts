import { defineConfig } from 'prisma/config'

// Only `prisma migrate` needs Prisma's native schema engine. Naming any executable keeps everything else from downloading it.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  datasource: { url: process.env.PAYMENTS_DATABASE_URL ?? 'file:../../data/payments.sqlite' },
})
