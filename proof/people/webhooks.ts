import type { Tipping, WebhookSight } from '../../src/tipping/tipping.ts'
import { WEBHOOK_HOST } from '../world/webhook-receiver.ts'
import { READ_GUILD } from './event-readers.ts'
import type { Actor, Stage } from './people.ts'

const WEBHOOKS = 2

/** Programs that receive events by webhook. */
export const webhooks: Actor = { name: 'webhooks', weight: 3, act }

/** Makes a webhook, or lets a bot that may die meanwhile send a webhook the events that it has not received. */
async function act(stage: Stage): Promise<void> {
  const { programs } = stage.world.judge
  if (programs.webhooks < WEBHOOKS) {
    const name = `hook ${stage.count()}`
    const webhook = `https://${WEBHOOK_HOST}/${stage.count()}`
    const about = { guild: READ_GUILD, channel: 'channel', member: stage.member(), name, budget: undefined }
    const { interaction } = stage.origin()
    const made = await stage.insist<{ readonly id?: string; readonly from: number }>(
      'a webhook is made',
      async ({ apiKeys, serverEvents }) => {
        await apiKeys.create({ ...about, scopes: ['events'], days: 90, webhook, interaction })
        return { from: await serverEvents.latest() }
      },
    )
    if ('done' in made) programs.listens(new URL(webhook).pathname, made.done.from)
    return
  }
  const moderates = async () => stage.chance.happens(0.97)
  const sight: WebhookSight = {
    knows: () => true,
    everybodySees: () => true,
    moderates,
    body: ({ type }) => `"${type}"`,
  }
  const tell = async ({ serverEvents }: Tipping) => {
    await serverEvents.deliver(sight)
    return {}
  }
  await stage.insist('webhooks are told', tell, 'once')
}
