import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openPaymentsDatabase } from '../../src/payments-service/core/database.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'
import { FileRows } from '../judge/row-source.ts'
import type { Chance } from './chance.ts'
import type { Places } from './world-places.ts'

/** Makes a template: both books, with their migrations applied once, so that each world can copy them. */
export async function makeTemplate(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const opened = await Promise.all([
    openTippingDatabase(`file:${folder}/tipping.sqlite`),
    openPaymentsDatabase(`file:${folder}/payments.sqlite`),
  ])
  for (const database of opened) await database.close()
}

/** Copies the template (a folder or a database on a PostgreSQL server) for a world with its own folder. */
export async function placesFrom(template: string, folder: string, chance: Chance): Promise<Places> {
  // A simulation that uses only files needs no server's driver.
  if (isOnServer(template)) return (await import('./postgres/places.ts')).placesOnServer(template, chance)
  const files = { bot: join(folder, 'tipping.sqlite'), service: join(folder, 'payments.sqlite') }
  for (const name of ['tipping.sqlite', 'payments.sqlite']) copyFileSync(join(template, name), join(folder, name))
  const [botUrl, serviceUrl] = [`file:${files.bot}`, `file:${files.service}`]
  return {
    alone: true,
    ...{
      botUrl,
      serviceUrl,
      folder,
      of: { bot: botUrl, service: serviceUrl, secondBot: undefined, secondService: undefined },
    },
    rows: { bot: new FileRows(files.bot), service: new FileRows(files.service) },
    crash: undefined,
    fail: () => {},
    close: () => {},
  }
}

/** Returns whether worlds copied from this template are on a PostgreSQL server. */
export function isOnServer(template: string): boolean {
  return template.startsWith('postgresql:')
}
