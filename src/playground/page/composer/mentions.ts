import type { ServerView } from '../../../discord-emulator/views.ts'
import { html } from '../html.ts'
import { Avatar } from '../sides/avatar.ts'
import { Icon } from '../sides/icons.ts'
import { server } from '../state/session.ts'
import { best } from '../text/fuzzy.ts'
import type { Suggestion } from './suggestions.ts'

const most = 8

export interface Mention {
  readonly at: number
  /** `@` for people and roles, `#` for channels, and the typed text after it. */
  readonly typed: string
}

export type MentionSuggestion = Suggestion & {
  /** The text that the choice inserts. */
  readonly insert: string
}

/** Finds an unfinished mention before the caret, such as `@nam` or `#chan`. */
export function mentionBefore(text: string, caret: number): Mention | null {
  const match = /(?:^|\s)(@[\p{L}\p{N}_.]*|#[\p{L}\p{N}_-]*)$/u.exec(text.slice(0, caret))
  const typed = match?.[1]
  return typed === undefined ? null : { at: caret - typed.length, typed }
}

/** Returns the server's people and roles, or its channels, that match. */
export function mentionSuggestions({ typed }: Mention): readonly MentionSuggestion[] {
  const here = server.value
  if (here === null) return []
  const name = typed.slice(1)
  return (typed.startsWith('#') ? channels(here, name) : peopleAndRoles(here, name)).slice(0, most)
}

function channels(here: ServerView, typed: string): readonly MentionSuggestion[] {
  return best(here.channels, typed, ({ name }) => [name]).map(({ id, name, topic }) => ({
    key: id,
    title: `#${name}`,
    detail: topic ?? '',
    picture: html`<span class="suggestion-mark"><${Icon} name="hash" size=${18} /></span>`,
    insert: `#${name} `,
  }))
}

function peopleAndRoles(here: ServerView, typed: string): readonly MentionSuggestion[] {
  const people = best(here.members, typed, ({ name, username, nick }) => [username, name, nick ?? '']).map(
    (member) => ({
      key: member.id,
      title: member.nick ?? member.name,
      detail: member.username,
      picture: html`<${Avatar} person=${member} size=${24} />`,
      insert: `@${member.username} `,
    }),
  )
  const roles = best(
    here.roles.filter(({ id, managed, mentionable }) => id !== here.id && !managed && mentionable),
    typed,
    ({ name }) => [name],
  ).map((role) => ({
    key: role.id,
    title: html`<span class="role-name" style=${role.color === null ? null : { '--role': role.color }}>@${role.name}</span>`,
    detail: 'Role',
    picture: html`<span class="suggestion-mark"><${Icon} name="people" size=${18} /></span>`,
    insert: `@${role.name} `,
  }))
  return [...people, ...roles]
}
