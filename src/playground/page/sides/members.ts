import type { MemberView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'
import { openPersonMenu } from '../overlays/person-menu.ts'
import { openProfile } from '../overlays/profile.ts'
import { colorOf, parts, server } from '../state/session.ts'
import { Avatar, BotTag } from './avatar.ts'

/**
 * Draws the server's members, grouped by the highest of their roles that Discord lists separately. People are always
 * online; the bot is online only while it runs.
 */
export function Members(): VNode | null {
  const here = server.value
  if (here === null) return null
  const lifted = here.roles.filter(({ hoist }) => hoist).sort((one, other) => other.position - one.position)
  const groups = new Map<string, MemberView[]>()
  for (const member of here.members) {
    const role = lifted.find(({ id }) => member.roleIds.includes(id))
    const offline = member.bot && !parts.value.botOnline
    const title = offline ? 'Offline' : (role?.name ?? 'Online')
    groups.set(title, [...(groups.get(title) ?? []), member])
  }
  const order = [...lifted.map(({ name }) => name), 'Online', 'Offline'].filter((title) => groups.has(title))
  return html`<aside class="members" aria-label="Members">
    ${order.map((title) => {
      const members = groups.get(title) ?? []
      return html`<section key=${title}>
        <h2 class="eyebrow">${title} · ${members.length}</h2>
        <ul>
          ${members.map((member) => html`<${MemberLine} key=${member.id} member=${member} />`)}
        </ul>
      </section>`
    })}
  </aside>`
}

function MemberLine({ member }: { member: MemberView }): VNode {
  const online = !member.bot || parts.value.botOnline
  const color = colorOf(member.id)
  return html`<li>
    <button
      type="button"
      class=${`member ${online ? '' : 'away'}`}
      onClick=${(event: MouseEvent) => openProfile(member.id, event.currentTarget as HTMLElement)}
      onContextMenu=${(event: MouseEvent) => openPersonMenu(event, member.id)}
    >
      <span class="with-presence"
        ><${Avatar} person=${member} size=${32} /><span
          class=${`presence ${online ? 'online' : 'offline'}`}
          role="img"
          aria-label=${online ? 'online' : 'offline'}
        ></span
      ></span>
      <span class="member-name" style=${color === null ? null : { '--role': color }}>${member.nick ?? member.name}</span>
      ${member.bot && html`<${BotTag} />`}
    </button>
  </li>`
}
