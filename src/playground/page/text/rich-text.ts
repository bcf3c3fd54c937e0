import { html, useState, type VNode } from '../html.ts'
import { openProfile } from '../overlays/profile.ts'
import { Copy } from '../sides/copy.ts'
import { pressedCommand, slashCommand } from '../state/commands.ts'
import { channelById, language, me, now, roleById, visit } from '../state/session.ts'
import { type Block, blocks } from './blocks.ts'
import { fullTime, timestamp } from './format.ts'
import { type Inline, inlines } from './inline.ts'

/** The names that a message carries for the ids in its text. */
export interface Names {
  readonly people: Readonly<Record<string, string>>
  readonly roles: Readonly<Record<string, string>>
}

const noNames: Names = { people: {}, roles: {} }

/** Draws a message's text or an embed's description: markdown with mentions. */
export function RichText({ text, names = noNames }: { text: string; names?: Names }): VNode {
  const read = blocks(text)
  return html`<div class=${`rich ${isJumbo(text) ? 'jumbo' : ''}`}>${read.map((block) => drawBlock(block, names))}</div>`
}

/** Draws one line: a title, a field's name, a label. */
export function RichLine({ text, names = noNames }: { text: string; names?: Names }): VNode {
  return html`<span class="rich">${inlines(text).map((piece) => draw(piece, names))}</span>`
}

function drawBlock(block: Block, names: Names): VNode {
  switch (block.kind) {
    case 'paragraph':
    case 'small':
      return html`<p dir="auto" class=${block.kind === 'small' ? 'small' : null}>
        ${block.lines.map((line, at) => [at > 0 && html`<br />`, line.map((piece) => draw(piece, names))])}
      </p>`
    case 'heading':
      return html`<div dir="auto" class=${`heading level-${block.level}`} role="heading" aria-level=${block.level + 2}>
        ${block.inside.map((piece) => draw(piece, names))}
      </div>`
    case 'quote':
      return html`<blockquote>${block.blocks.map((each) => drawBlock(each, names))}</blockquote>`
    case 'list': {
      const items = block.items.map((item) => html`<li dir="auto">${item.map((piece) => draw(piece, names))}</li>`)
      return block.ordered ? html`<ol start=${block.start}>${items}</ol>` : html`<ul>${items}</ul>`
    }
    case 'fence':
      return html`<div class="fence">
        <pre tabindex="0"><code>${block.text}</code></pre>
        <${Copy} text=${block.text} label="Copy this text" />
      </div>`
  }
}

function draw(piece: Inline, names: Names): VNode | string {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'code':
      return html`<code class="inline">${piece.text}</code>`
    case 'bold':
      return html`<strong>${piece.inside.map((each) => draw(each, names))}</strong>`
    case 'italic':
      return html`<em>${piece.inside.map((each) => draw(each, names))}</em>`
    case 'underline':
      return html`<u>${piece.inside.map((each) => draw(each, names))}</u>`
    case 'strike':
      return html`<s>${piece.inside.map((each) => draw(each, names))}</s>`
    case 'spoiler':
      return html`<${Spoiler} inside=${piece.inside} names=${names} />`
    case 'link':
      return html`<a href=${piece.url} target="_blank" rel="noreferrer noopener">
        ${piece.inside.map((each) => draw(each, names))}
      </a>`
    case 'person':
      return html`<${PersonMention} id=${piece.id} name=${names.people[piece.id] ?? (piece.id === me.value?.id ? me.value.name : undefined)} />`
    case 'role': {
      const role = roleById(piece.id)
      return html`<span class="mention role" dir="auto" style=${role?.color ? { '--role': role.color } : null}>
        @${names.roles[piece.id] ?? role?.name ?? 'unknown-role'}
      </span>`
    }
    case 'channel':
      return html`<${ChannelMention} id=${piece.id} />`
    case 'emoji':
      return html`<img class="custom-emoji" src=${`/cdn/emojis/${piece.id}.png`} alt=${`:${piece.name}:`} title=${`:${piece.name}:`} />`
    case 'everyone':
      return html`<span class="mention">${piece.text}</span>`
    case 'command':
      return html`<${CommandMention} path=${piece.path} />`
    case 'time':
      return html`<time class="stamp" title=${fullTime(new Date(piece.seconds * 1_000).toISOString(), language.value)}>
        ${timestamp(piece.seconds, piece.style, now.value, language.value)}
      </time>`
  }
}

function Spoiler({ inside, names }: { inside: readonly Inline[]; names: Names }): VNode {
  const [open, setOpen] = useState(false)
  if (open) return html`<span class="spoiler open">${inside.map((each) => draw(each, names))}</span>`
  return html`<button class="spoiler" type="button" aria-label="Spoiler: show it" onClick=${() => setOpen(true)}>
    <span aria-hidden="true">${inside.map((each) => draw(each, names))}</span>
  </button>`
}

/** Draws a mention of a person. Like Discord's client, it shows the id of a person whose name is not known. */
function PersonMention({ id, name }: { id: string; name: string | undefined }): VNode {
  return html`<${PressedMention} onPress=${(mention: HTMLElement) => openProfile(id, mention)}>
    ${name === undefined ? `<@${id}>` : `@${name}`}
  <//>`
}

function ChannelMention({ id }: { id: string }): VNode {
  const target = channelById(id)
  if (target === undefined) return html`<span class="mention">#unknown</span>`
  return html`<${PressedMention} onPress=${() => visit(id)}>#${target.name}<//>`
}

/**
 * Draws a mention of a command. Pressing it puts the command in the composer. As in Discord, it shows the command's
 * English name in every language.
 */
function CommandMention({ path }: { path: string }): VNode {
  const command = slashCommand(path)
  if (command === undefined) return html`<span class="mention">/${path}</span>`
  return html`<${PressedMention}
    onPress=${() => {
      pressedCommand.value = command
    }}
  >
    /${path}
  <//>`
}

/**
 * Draws a mention that can be pressed. Unlike a `<button>`, it is part of its line like a word, so its neighbours stay
 * with it. Its own `dir` keeps a name in another script from deciding the direction of the line.
 */
function PressedMention({ onPress, children }: { onPress: (mention: HTMLElement) => void; children: unknown }): VNode {
  return html`<span
    class="mention"
    role="button"
    tabindex="0"
    dir="auto"
    onClick=${(event: MouseEvent) => onPress(event.currentTarget as HTMLElement)}
    onKeyDown=${(event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      onPress(event.currentTarget as HTMLElement)
    }}
  >
    ${children}
  </span>`
}

/** Whether a text consists only of one to three emoji, which are then shown large. */
function isJumbo(text: string): boolean {
  return /^(?:\s*\p{Extended_Pictographic}(?:\uFE0F|\u200D|\p{Emoji_Modifier})*){1,3}\s*$/u.test(text)
}
