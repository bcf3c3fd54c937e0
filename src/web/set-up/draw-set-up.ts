import { qrPng } from '../../lib/lightning/qr.ts'
import { Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { hashForPolicy, inlineFile, joinFiles } from '../../lib/web/inline-file.ts'
import { BASE_STYLE, pageFrame } from '../../lib/web/page-frame.ts'
import type { CodeOutcome } from './code.ts'
import type { ConversationView, Onward, Question, Said } from './conversation.ts'

const STYLE = joinFiles(BASE_STYLE, inlineFile(new URL('./assets/set-up.css', import.meta.url)))
const SCRIPT = inlineFile(new URL('./assets/set-up.js', import.meta.url))

/** The Content-Security-Policy of the pages, which load nothing and call only their own server. */
export const SET_UP_POLICY = [
  "default-src 'none'",
  `style-src '${hashForPolicy(STYLE.text)}'`,
  `script-src '${hashForPolicy(SCRIPT.text)}'`,
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The number of headings that the questions have. */
const STEPS = 5
const HEADING = /^(\d)\. /
/**
 * The first words of the text with which the end of set-up begins. At the end, the page shows only that text and what
 * follows it, without the last question.
 */
const WRITTEN = 'Written to '

interface CodeWords extends Readonly<Record<Exclude<CodeOutcome, 'right'>, string>> {
  readonly label: string
  readonly where: string
}

const PRINTED_CODE: CodeWords = {
  label: 'The code that Satchel printed when it started',
  where: "Look at the terminal, the container's log, or the page of your home server that shows the log.",
  wrong: 'This is not the code. Copy it again from where Satchel was started.',
  used: 'This code was used. Get a new one below.',
  paused: 'The code was wrong five times. Wait a minute, then enter the code that Satchel printed last.',
}
const OWN_CODE: CodeWords = {
  ...PRINTED_CODE,
  label: 'The code that was set for Satchel',
  where: 'A home server shows it as the password of this app. Elsewhere it is the value of SETUP_CODE.',
  wrong: 'This is not the code. Copy it again, without a space at its end.',
  paused: 'The code was wrong five times. Wait a minute, then enter it again.',
}

/** Draws the page on which a person proves that they started this process or may read its settings. */
export function drawCode(
  outcome: CodeOutcome | undefined,
  { isUsed, isFixed }: { readonly isUsed: boolean; readonly isFixed: boolean },
): Html {
  const words = isFixed ? OWN_CODE : PRINTED_CODE
  const problem =
    outcome !== undefined && outcome !== 'right' && html`<p class="bad" role="alert">${words[outcome]}</p>`
  return frame(
    html`<section class="card">
<h1>Set up Satchel</h1>
${problem}
<form method="post" action="/setup/code">
<label for="code">${words.label}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required autofocus>
<button class="primary">Continue</button>
</form>
${
  isUsed &&
  html`<form method="post" action="/setup/new-code"><p class="small">Set-up is open in another browser. Nothing of it is lost: go on there, or have
Satchel print a new code and go on here.</p><button>Print a new code</button></form>`
}
<p class="small">${words.where}</p>
</section>`,
  )
}

/**
 * Draws the conversation so far, with the open question or the next step. `notice` is the outcome of the last form, and
 * `mayRestore` says whether a backup can be sent once everything is settled.
 */
export async function drawConversation(
  view: ConversationView,
  { notice, mayRestore = false }: { readonly notice?: string; readonly mayRestore?: boolean },
): Promise<Html> {
  const isHeading = ({ kind, text }: Said) => kind === 'text' && HEADING.test(text.trim())
  const begins = view.said.findLastIndex(isHeading)
  const ends = view.end === undefined ? -1 : view.said.findLastIndex(({ text }) => text.trim().startsWith(WRITTEN))
  // What comes before the first question belongs to it.
  const shown = Math.max(ends, begins === view.said.findIndex(isHeading) ? 0 : begins)
  const earlier = view.said.slice(0, shown)
  const step = view.end !== undefined ? STEPS : Number(HEADING.exec(view.said[begins]?.text.trim() ?? '')?.[1] ?? 1) - 1
  const now = await Promise.all(view.said.slice(shown).map(draw))
  return frame(
    html`<h1>Set up Satchel</h1>
<ol class="steps" aria-label="Step ${Math.min(step + 1, STEPS)} of ${STEPS}">${Array.from({ length: STEPS }, (_, i) => html`<li${i < step && html` class="done"`}></li>`)}</ol>
${notice !== undefined && html`<p class="card bad" role="alert">${notice}</p>`}
${earlier.length > 0 && html`<details class="card"><summary>What was settled so far</summary>${await Promise.all(earlier.map(draw))}</details>`}
<section class="card" aria-live="polite">${now}${whatNext(view)}</section>
${mayRestore && view.end === 'settled' && RESTORE}`,
    html` data-version="${view.version}"`,
  )
}

/**
 * Draws the page that is open while the bot replaces set-up. It still shows the invitation, the last message with a
 * link, so that nobody has to go back for it.
 */
export function drawStarting({ said }: Pick<ConversationView, 'said'>): Html {
  const invitation = said.findLast(({ kind, text }) => kind === 'text' && ADDRESS.test(text))
  return frame(
    html`<section class="card"><h1>Set up Satchel</h1>
<div id="starting"><p class="wait">Satchel is starting</p>
<p class="small">If nothing happens within a minute, the log of Satchel says why.</p></div>
<p id="running" class="good" hidden>✓ Satchel is running. On Discord, type <code>/help</code>. In the operators' server, <code>/admin page</code> opens the console.</p>
${invitation !== undefined && html`<p>${lines(invitation.text.trim())}</p>`}</section>`,
    html` data-starting="true"`,
  )
}

/**
 * The form for a person who moves here from another machine. The script sends the file unchanged, which no form can do.
 */
const RESTORE = html`<details class="card"><summary>Do you come from another machine? Restore its backup</summary>
<p>Stop the old machine first: only one may run on these books. Then choose the file that the console there gave (<code>satchel-backup-….tar</code>). It takes
the place of the data here, which is set aside.</p>
<label for="backup">The backup</label><input id="backup" type="file" accept=".tar,application/x-tar">
<button id="restore" type="button">Restore it</button>
<p id="restoring" class="wait" aria-live="polite" hidden>Restoring: the books are being proven</p>
<p id="cut" class="bad" role="alert" hidden>The file did not arrive whole, and nothing was changed. Choose it again.</p>
<noscript><p>This needs scripts. Without them, on the machine: <code>npm run restore -- FOLDER</code>.</p></noscript></details>`

const ONWARD: Readonly<Record<Onward, string>> = { start: 'Start again', questions: 'Answer the questions again' }

function whatNext({ question, halt, end }: ConversationView): Html {
  if (halt !== undefined) {
    const buttons = halt.onward.map(
      (onward) => html`<button name="onward" value="${onward}" class="primary">${ONWARD[onward]}</button>`,
    )
    return html`<p class="bad" role="alert">${lines(halt.problem)}</p><form method="post" action="/setup/again">${buttons}</form>`
  }
  if (end !== undefined) {
    const again = html`<form method="post" action="/setup/again"><button name="onward" value="questions">Change an answer</button></form>`
    return html`<form method="post" action="/setup/start"><button class="primary">Start Satchel</button></form>${end === 'settled' && again}`
  }
  return question === undefined ? html`<p class="wait" role="status">Checking</p>` : form(question)
}

function form({ number, text, hidden, choices, title, mayGoBack, earlier }: Question): Html {
  const label = text.trim().replace(/:$/, '')
  const field = html`<input id="answer" name="answer" type="${hidden ? 'password' : 'text'}" autocomplete="off" spellcheck="false" value="${earlier}" autofocus>
<button class="primary">Continue</button>`
  const buttons = choices.map(
    ({ value, label }) => html`<button name="choice" value="${value}" formnovalidate>${label}</button>`,
  )
  const back = mayGoBack && html`<button name="choice" value="back" class="back" formnovalidate>Back</button>`
  return html`<form method="post" action="/setup/answer">
<input type="hidden" name="number" value="${number}">
${choices.length > 0 ? html`${title !== '' && html`<p class="lead">${title}</p>`}${buttons}` : html`<label for="answer">${label}</label>${field}`}
${back}</form>`
}

async function draw({ kind, text }: Said): Promise<Html> {
  if (kind === 'answer') return html`<p class="answer"><span>${text === '' ? 'left empty' : text}</span></p>`
  if (kind === 'code') {
    const picture = (await qrPng(text)).toString('base64')
    return html`<img src="data:image/png;base64,${picture}" alt="The code as a QR picture"><p><code>${text}</code></p>
<p><a href="lightning:${text}">Open in a wallet</a></p>`
  }
  const plain = text.trim()
  if (plain.startsWith('✓')) return html`<p class="good">${lines(plain)}</p>`
  if (plain.startsWith('✗')) return html`<p class="bad" role="alert">${lines(plain)}</p>`
  if (HEADING.test(plain)) {
    const [, number, first = '', rest = ''] = /^(\d)\. (.*?[.?!])(?=\s|$)(.*)$/s.exec(plain) ?? []
    return html`<h2>${number}. ${lines(first)}</h2><p>${lines(rest)}</p>`
  }
  return html`<p>${lines(plain)}</p>`
}

const ADDRESS = /(https:\/\/[^\s<>"]*[^\s<>".,;:)])/

/** Draws a text with its line breaks, and its https addresses as links. */
function lines(text: string): HtmlPart {
  return text.split('\n').map((line, i) => {
    const parts = line
      .trim()
      .split(ADDRESS)
      .map((part, j) => (j % 2 === 1 ? html`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>` : part))
    return i === 0 ? parts : [new Html('<br>'), ...parts]
  })
}

function frame(content: Html, attributes: HtmlPart = ''): Html {
  return pageFrame(
    { title: 'Set up Satchel', head: html`<style>${STYLE}</style>` },
    html`<main${attributes}>${content}</main><script>${SCRIPT}</script>`,
  )
}
