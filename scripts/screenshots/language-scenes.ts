import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { recapRenderer } from '../../src/bot/insights/recap-card.ts'
import { requestFor } from '../../src/bot/messages/message.ts'
import { everyComponent } from '../../src/discord-emulator/rules/components.ts'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { sats } from '../../src/lib/money/amount.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'

/** The person who looks at a message: a member, or a moderator. */
export type Eyes = 'alice' | 'mod'
/** Stores a picture of a message as somebody sees it (alice by default), under a name. */
export type Keep = (name: string, message: MessageView | undefined, who?: Eyes) => Promise<void>

/** A language, and the function that lets time pass in the world. */
export interface Telling {
  readonly code: string
  passes(ms: number): Promise<void>
}

/** A note with right-to-left words among numbers, which must not reverse the text beside them. */
const NOTE = 'شكرا 500 👍 (מזל טוב)'
const DAY_MS = 86_400_000
/** The time limit on a busy machine. */
const BUSY_MS = 120_000

/** Fills alice's balance and the server's pool once, for all languages. */
export async function fill(stage: Stage): Promise<void> {
  const [charge] = await stage.command('mod', 'pool fund', { amount: '200000' })
  await stage.pay(await stage.scan(must(charge), 'pool'))
  await stage.command('mod', 'pool budget', { role: '@Moderators', amount: '200000', period: 'day' })
  const [deposit] = await stage.command('alice', 'deposit', { amount: '900000' })
  await stage.pay(await stage.scan(must(deposit), 'deposit'))
  for (const who of ['bob', 'carol', 'dave']) await stage.command(who, 'balance')
}

/** Makes everybody and the server speak this language from now on. */
export async function speak(stage: Stage, language: string): Promise<void> {
  const { tipping } = stage.world.bot
  for (const member of Object.values(stage.world.cast.people)) {
    await tipping.preferences.change({ member, change: { language } })
  }
  const [guild, member] = [stage.world.cast.server, stage.id('mod')]
  await tipping.preferences.changeServer({ guild, member, change: { language } })
}

/** Plays the scenes that show alice and the others the main cards and answers, once, in their present language. */
export async function playScenes(stage: Stage, { code, passes }: Telling, keep: Keep): Promise<void> {
  await tips(stage, code, keep)
  await gifts(stage, keep)
  await answers(stage, keep)
  await ofThePool(stage, code, keep)
  await keep('recap', await recap(stage, code))
  await draw(stage, passes, keep)
}

async function tips(stage: Stage, language: string, keep: Keep): Promise<void> {
  const { world } = stage.world.emulator
  const account = { username: `erin-${language.toLowerCase()}`, name: 'Erin', createdAt: Date.UTC(2020, 0, 1) }
  const newcomer = world.createPerson(account)
  world.addMember(stage.world.cast.server, newcomer.id)
  await keep('tip', await public_(stage, 'tip', { to: stage.id('bob'), amount: '500', note: NOTE }))
  const unclaimed = await public_(stage, 'tip', { to: newcomer.id, amount: '21' })
  await keep('tip-unclaimed', unclaimed)
  await stage.command(newcomer.username, 'claim')
  await keep('tip-claimed', latest(stage, unclaimed.id))
  const also = ['carol', 'dave'].map((who) => `<@${stage.id(who)}>`).join(' ')
  await keep('tip-several', await public_(stage, 'tip', { to: stage.id('bob'), amount: '210', also }))
}

async function gifts(stage: Stage, keep: Keep): Promise<void> {
  const drop = await public_(stage, 'drop', { amount: '60', shares: 2 })
  await keep('drop', drop)
  for (const who of ['bob', 'carol']) await pressFirst(stage, who, latest(stage, drop.id))
  await keep('drop-over', latest(stage, drop.id))
  for (const who of ['bob', 'carol', 'dave']) stage.person(who).say(stage.channel(), '⚡')
  await stage.world.settled()
  await keep('rain', await public_(stage, 'rain', { amount: '90' }))
  const giveaway = await public_(stage, 'giveaway start', { prize: '100', winners: 1, duration: '2d 3h' })
  for (const who of ['bob', 'carol', 'dave']) await pressFirst(stage, who, latest(stage, giveaway.id))
  await keep('giveaway', latest(stage, giveaway.id))
  const [question] = await stage.command('alice', 'ask', { amount: '5000', reason: NOTE }).catch(() => [])
  if (question !== undefined) await keep('ask', question)
}

/** Draws a giveaway: its card, the result, and its verification. */
async function draw(stage: Stage, passes: Telling['passes'], keep: Keep): Promise<void> {
  const giveaway = await public_(stage, 'giveaway start', { prize: '1000', winners: 2, duration: '1m' })
  for (const who of ['bob', 'carol', 'dave']) await pressFirst(stage, who, latest(stage, giveaway.id))
  await passes(61_000)
  await stage.until(
    'it is drawn',
    async () => {
      await stage.world.settled()
      return conversation(stage).at(-1)?.id !== giveaway.id
    },
    BUSY_MS,
  )
  await keep('giveaway-result', conversation(stage).at(-1))
  await keep('giveaway-drawn', latest(stage, giveaway.id))
}

async function answers(stage: Stage, keep: Keep): Promise<void> {
  const private_ = async (name: string, path: string, values = {}) => {
    await keep(name, (await stage.command('alice', path, values))[0])
  }
  await private_('balance', 'balance')
  await private_('wallet', 'wallet')
  await private_('history', 'history')
  await private_('leaderboard', 'leaderboard')
  await private_('stats', 'stats')
  await private_('deposit', 'deposit', { amount: '2100' })
  await private_('withdraw', 'withdraw', { amount: '2100' })
  await private_('invoice', 'invoice', { amount: '1500', description: NOTE })
  await private_('help', 'help')
  await private_('help-drops', 'help', { topic: 'drops' })
  await private_('settings', 'settings')
  await private_('voucher', 'voucher create', { amount: '100' })
  await private_('batch', 'voucher batch', { amount: '10', count: 3, days: 7 })
  await private_('receipt', 'receipt')
  await private_('refusal', 'tip', { to: stage.id('alice'), amount: '5' })
}

async function ofThePool(stage: Stage, language: string, keep: Keep): Promise<void> {
  const lines = `member;sats;reason\n${stage.id('bob')};30;${NOTE}\nalice;5;\n`
  const file = `data:text/csv;name=list.csv;base64,${Buffer.from(lines).toString('base64')}`
  await keep('list', (await stage.command('mod', 'pool pay', { file, reason: NOTE }))[0], 'mod')
  const name = `show ${language}`
  const parts = `<@${stage.id('bob')}> 66.67 <@${stage.id('carol')}> 33.33`
  await stage.command('mod', 'split create', { name, parts })
  const [choice] = await stage.person('mod').autocomplete(stage.channel(), 'split pay', { name }, 'name')
  const terms = { name: String(choice?.value), amount: '100', reason: NOTE }
  await keep('split', (await stage.command('mod', 'split pay', terms))[0], 'mod')
  await keep('pool', (await stage.command('mod', 'pool balance'))[0], 'mod')
  await keep('pool-history', (await stage.command('mod', 'pool history'))[0], 'mod')
  await keep('reward', await public_(stage, 'reward', { to: stage.id('bob'), amount: '50', reason: NOTE }, 'mod'))
  const [settings] = await stage.command('mod', 'settings')
  const server = buttonsOf(must(settings)).find(({ custom_id }) => custom_id.startsWith('settings-server'))
  if (server !== undefined) {
    await keep('settings-server', (await stage.press('mod', must(settings), server.label))[0] ?? settings, 'mod')
  }
}

/** Draws a week's recap, without waiting for it. */
async function recap(stage: Stage, language: string): Promise<MessageView> {
  const [alice, bob] = [stage.id('alice'), stage.id('bob')]
  const days = Array.from({ length: 7 }, (_, day) => ({
    from: new Date(Date.UTC(2030, 0, 7) + day * DAY_MS),
    amount: sats((day * 37) % 100),
  }))
  const view = {
    ...{ kind: 'week', gifts: 1_234, amount: sats(65_500), pool: sats(2_000), newcomers: 5, days },
    thanks: [{ from: alice, to: bob, count: 3 }],
    streaks: [{ member: alice, days: 4 }],
  } as const
  const tipping = { testMoney: true, insights: { recap: async () => view } }
  const drawable = await recapRenderer.draw(tipping as never, 'recap')
  const { message } = await drawable.in(createTranslators(() => true)(language), {} as never)
  return await post(stage, requestFor(message))
}

/** Posts a message in the channel as the bot. */
async function post(stage: Stage, { body, files }: ReturnType<typeof requestFor>): Promise<MessageView> {
  const { emulator } = stage.world
  const form = new FormData()
  form.set('payload_json', JSON.stringify(body))
  for (const [at, { name, data }] of files.entries())
    form.set(`files[${at}]`, new Blob([data as Uint8Array<ArrayBuffer>]), name)
  const url = `${emulator.restUrl}/v10/channels/${stage.channel()}/messages`
  const answer = await fetch(url, { method: 'POST', body: form, headers: { authorization: `Bot ${emulator.token}` } })
  if (!answer.ok) throw new Error(await answer.text())
  const { id } = (await answer.json()) as { id: string }
  return latest(stage, id)
}

/** Runs a command and finds the card that it posted in the channel. */
async function public_(stage: Stage, path: string, values: object, who = 'alice'): Promise<MessageView> {
  const before = conversation(stage).at(-1)?.id ?? '0'
  const answers = await stage.command(who, path, values as never)
  const card = conversation(stage).find(({ id, author }) => BigInt(id) > BigInt(before) && author.bot)
  if (card === undefined) throw new Error(`/${path} put nothing into the channel: ${JSON.stringify(answers[0])}`)
  return card
}

function conversation(stage: Stage): MessageView[] {
  return stage
    .person('dave')
    .conversation(stage.channel())
    .filter(({ ephemeral }) => !ephemeral)
}

function latest(stage: Stage, id: string): MessageView {
  return must(conversation(stage).find((each) => each.id === id))
}

async function pressFirst(stage: Stage, who: string, message: MessageView): Promise<void> {
  await stage.press(who, message, must(buttonsOf(message)[0]).label)
}

function buttonsOf(message: MessageView): { label: string; custom_id: string }[] {
  const all = [...everyComponent(message.components)] as { label?: string; custom_id?: string }[]
  return all.flatMap(({ label, custom_id }) => (label && custom_id ? [{ label, custom_id }] : []))
}

function must<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('there is none')
  return found
}
