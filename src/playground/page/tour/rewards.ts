import { html } from '../html.ts'
import { isNarrow } from '../state/frame.ts'
import { say } from '../state/interactions.ts'
import { sheet } from '../state/phone.ts'
import { channel } from '../state/session.ts'
import { answers, type Chapter, isCalled, personCalled, type Step, sharesTaken, toldSince } from './step.ts'

const LIST = 'kitchen.csv'

/** Saves a moderator's list as a file, with two people and a line that matches nobody. */
function saveList(): void {
  const [carol, dave] = [personCalled('carol')?.id, personCalled('dave')?.id]
  const lines = ['member,sats,reason', `${carol},200,Soup`, `${dave},100,Plates`, 'Alice,50,Tea']
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' }))
  link.download = LIST
  link.click()
  URL.revokeObjectURL(link.href)
  say(`${LIST} is saved where your browser puts files.`)
}

function showMessageOfCarol(): void {
  const newest = [...document.querySelectorAll('.message[data-author=carol]')].at(-1)
  if (newest === undefined) say('Carol has said nothing here yet. Become Carol, and write something.', 'failed')
  newest?.scrollIntoView({ block: 'center', behavior: 'smooth' })
}

const steps: readonly Step[] = [
  {
    title: 'You are a moderator',
    words: () =>
      html`Moderators reward people out of a pool that the server shares. ${isNarrow.value ? html`Press <b>Channels</b>, open` : 'Open the channel'}
        ${' '}<b>#general</b>.`,
    as: 'mod',
    points: () => '[data-channel=general]',
    screen: () => 'places',
    done: () => isCalled('mod') && channel.value?.name === 'general',
  },
  {
    title: 'Fill the pool',
    words: () =>
      html`Write <kbd>/pool fund 5000</kbd>. Press <b>Scan with the phone</b>, and pay the code ${isNarrow.value ? 'in the wallet' : 'on the phone'}.`,
    as: 'mod',
    points: () => (answers('pool fund').length === 0 ? 'composer' : sheet.value === null ? 'scan' : 'pay'),
    screen: () => (answers('pool fund').length > 0 && sheet.value !== null ? 'phone' : 'chat'),
    done: () => answers('pool fund').length > 0 && sheet.value?.step === 'done',
  },
  {
    title: 'Say who may spend',
    words: () =>
      html`Write <kbd>/pool budget</kbd>. Choose the role <b>@Moderators</b>, <kbd>2000</kbd>, <b>a day</b> each.`,
    as: 'mod',
    points: () => 'composer',
    screen: () => 'chat',
    done: () => answers('pool budget').length > 0,
  },
  {
    title: 'Make a rule',
    words: () =>
      html`Write <kbd>/rule create</kbd>. Choose the recipe <b>A good post</b>, <kbd>100</kbd> each, <kbd>1000</kbd> a month at most.`,
    as: 'mod',
    points: () => 'composer',
    screen: () => 'chat',
    done: () => answers('rule create').length > 0,
  },
  {
    title: 'Let the rule pay',
    words: () =>
      isNarrow.value
        ? html`Hold one of Carol’s messages, and react with 🏅. She gets 100 sats, once.`
        : html`Point at one of Carol’s messages, press the smiley, and react with 🏅. She gets 100 sats, once.`,
    as: 'mod',
    points: () => '[data-author=carol]',
    screen: () => 'chat',
    done: () => toldSince(answers('rule create')[0]).length > 0,
    aid: { label: () => 'Show Carol’s message', run: showMessageOfCarol },
  },
  {
    title: 'Pay a list',
    words: () =>
      html`Save the list. Then write <kbd>/pool pay</kbd>, choose the file <b>${LIST}</b>, and give a reason.`,
    as: 'mod',
    points: () => 'composer',
    screen: () => 'chat',
    done: () => answers('pool pay').length > 0,
    aid: { label: () => `Save ${LIST}`, run: saveList },
  },
  {
    title: 'Look, then pay',
    words: () =>
      html`One line names nobody, so it is left out. Press <b>Pay</b>. <b>Lines (CSV)</b> gives you the file back.`,
    as: 'mod',
    points: () => '.components .button.primary, .components .button.success',
    screen: () => 'chat',
    done: () => toldSince(answers('pool pay').at(-1)).length > 0,
  },
  {
    title: 'Drop from the pool',
    words: () =>
      html`Write <kbd>/drop 300 3</kbd>. Press <b>4 more</b>, add <b>from</b>: This server’s pool, and a <b>reason</b>. Then send it.`,
    as: 'mod',
    points: () => 'composer',
    screen: () => 'chat',
    done: () => answers('drop').length > 0,
  },
  {
    title: 'Take a share',
    words: () => html`Become <b>Carol</b>, and press <b>Take a share</b>. What nobody takes goes back to the pool.`,
    as: 'carol',
    points: () => '.components .button.primary, .components .button.success',
    screen: () => 'chat',
    done: () => isCalled('carol') && sharesTaken().length > 0,
  },
]

/** A moderator's tour of the pool: a rule, a list, and a drop. */
export const rewardsTour: Chapter = {
  title: 'Rewards',
  steps,
  farewell: {
    title: 'Rewards that run themselves',
    words: () =>
      html`As the moderator, <kbd>/pool history</kbd> shows where the sats went, <kbd>/rule list</kbd> how the rule stands, and <kbd>/schedule</kbd> pays at
        set times.`,
  },
}
