import type { RowSource } from '../../judge/row-source.ts'
import type { Chance } from '../chance.ts'
import type { Places } from '../world-places.ts'
import { ServerThread } from './server-thread.ts'
import { beginWires, crashServer, loseCommitsOf, simulateWires } from './wire.ts'

let thread: ServerThread | undefined
let worlds = 0

/**
 * Copies the template’s database, which contains both books, for one world. From then on, this process sees only
 * simulated connections.
 */
export function placesOnServer(template: string, chance: Chance): Places {
  const server = threadTo(template)
  beginWires(chance)
  worlds += 1
  const name = `satchel_world_${process.pid}_${worlds}`
  const admin = withDatabase(template, 'postgres')
  const url = withDatabase(template, name)
  server.ask(admin, `CREATE DATABASE ${name} TEMPLATE ${new URL(template).pathname.slice(1)}`)
  const of = {
    ...{ bot: named(url, 'bot'), secondBot: named(url, 'bot-2') },
    ...{ service: named(url, 'service'), secondService: named(url, 'service-2') },
  }
  const rows = { bot: rowsOf(server, url, 'tipping'), service: rowsOf(server, url, 'payments') }
  return {
    ...{ botUrl: url, serviceUrl: url, of, rows, folder: undefined, alone: false },
    crash: crashServer,
    fail: (address, disk) => loseCommitsOf(new URL(address).searchParams.get('application_name') ?? '', disk),
    close() {
      for (const each of [rows.bot, rows.service]) each.close()
      server.ask(admin, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

function threadTo(template: string): ServerThread {
  if (thread === undefined) {
    thread = new ServerThread(withDatabase(template, 'postgres'))
    simulateWires(thread)
  }
  return thread
}

function withDatabase(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

function named(url: string, application: string): string {
  const other = new URL(url)
  other.searchParams.set('application_name', application)
  return other.href
}

/**
 * Returns a source of rows for the judge, whose queries are in SQLite’s SQL; PostgreSQL’s differs only in the
 * placeholders of values.
 */
function rowsOf(server: ServerThread, database: string, schema: string): RowSource {
  const url = new URL(database)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return {
    rows(sql, ...values) {
      let place = 0
      const numbered = sql.replace(/\?/g, () => {
        place += 1
        return `$${place}`
      })
      return server.ask(url.href, numbered, ...values)
    },
    close: () => server.leave(url.href),
  }
}
