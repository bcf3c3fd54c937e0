import { html } from '../html.ts'
import { Avatar } from '../sides/avatar.ts'
import { Icon } from '../sides/icons.ts'
import { server } from '../state/session.ts'
import { best } from '../text/fuzzy.ts'
import type { Suggestion } from './suggestions.ts'

const most = 8

/** The `@nam` that the caret stands behind. */
export function mentionBefore(text: string, caret: number): { readonly at: number; readonly typed: string } | null {
  const match = /(?:^|\s)@([\p{L}\p{N}_.]*)$/u.exec(text.slice(0, caret))
  return match === null ? null : { at: caret - (match[1]?.length ?? 0) - 1, typed: match[1] ?? '' }
}

/** People and roles of the server that fit; `insert` is what is written for them. */
export function mentionSuggestions(typed: string): readonly (Suggestion & { readonly insert: string })[] {
  const here = server.value
  if (here === null) return []
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
  return [...people, ...roles].slice(0, most)
}
