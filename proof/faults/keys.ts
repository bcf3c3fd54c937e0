import { openAdministration, SCOPES } from '../../src/payments-service/administration/administration.ts'
import { type Chance, seededEntropy } from '../world/chance.ts'
import type { SimWorld } from '../world/world.ts'
import type { Fault } from './fault.ts'

/** Opens the service's administration beside it, as its operators do. */
export function administrationOf({ timeline, serviceUrl }: SimWorld, chance: Chance) {
  const entropy = seededEntropy(chance.child('operators'), timeline)
  const settings = { gamertagReservedDays: 0, reservedNames: [] }
  return openAdministration({ databaseUrl: serviceUrl, clock: timeline, entropy, sandbox: true, settings })
}

/** Operators give the bot a new API key, or a new secret for callbacks, while it works, and end the old key. */
export const rotatedKeys: Fault = {
  name: 'rotated keys',
  async strike({ world, chance, later, happened }) {
    const { bot, projects, trace } = world
    const administration = await administrationOf(world, chance)
    try {
      if (chance.happens(0.4)) {
        const { callbackSecret } = await administration.rotateSecret(projects.bot.id)
        later(chance.between(0, 10), async () => {
          bot.kill()
          bot.keys = { ...bot.keys, callbackSecret }
        })
        trace.note('the secret of callbacks is rotated')
      } else {
        const old = await administration.listKeys(projects.bot.id)
        const { apiKey } = await administration.createKey(projects.bot.id, { scopes: SCOPES })
        // The bot starts with the new key, and only then does the old one end.
        bot.kill()
        bot.keys = { ...bot.keys, apiKey }
        for (const { keyId, revokedAt } of old) if (revokedAt === null) await administration.revokeKey(keyId)
        trace.note('the API key is rotated')
      }
      happened()
    } finally {
      await administration.close()
    }
  },
}
