import type { Complaint } from '../world/watchful-log.ts'
import type { Fault } from './fault.ts'

/** The time within which both sides reconnect: a new connection is attempted again after some seconds. */
const RECONNECTED_WITHIN_MS = 30_000

/** The server of both books crashes, and returns after a while; or a standby takes its place. */
export const databaseCrash: Fault = {
  name: 'a database that crashes',
  async strike({ world, chance, stage, happened }) {
    const { crashDatabase, faults, trace } = world
    if (crashDatabase === undefined) return
    await stage.pause(20_000)
    faults.databaseAway = true
    trace.note('the database crashes')
    const returns = crashDatabase()
    await world.passing(chance.between(1, 60_000))
    returns()
    trace.note('the database is back')
    await world.passing(RECONNECTED_WITHIN_MS)
    faults.databaseAway = false
    happened()
  },
  excuses: { bot: saysAway, service: saysAway },
}

/** Whether a complaint reports a failure while the database is away, or a lease that could not be renewed meanwhile. */
function saysAway({ alert, err }: Complaint): boolean {
  return (
    alert === 'lease_lost' ||
    /ECONNREFUSED|connection (terminated|closed)|database|the books could not be/i.test(err?.message ?? '')
  )
}
