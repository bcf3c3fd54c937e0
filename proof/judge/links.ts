import type { Moment, Span } from './moments.ts'
import { isBefore } from './moments.ts'

/** A member's choice of where their sats go; `user` is null without a choice. */
interface Choice {
  readonly user: string | null
  readonly span: Span
  /** Whether nobody was told that the choice was saved, although it may have been. */
  readonly doubtful: boolean
}

/** A deletion of a member's data; `to` is undefined while the deletion may not be over. */
interface Deletion {
  readonly from: Moment
  to: Moment | undefined
}

/** The choices of where members have their sats forwarded, as they said and were told. */
export class Links {
  readonly #words = new Map<string, Choice[]>()
  /** Links that members are making now: a link may exist before anybody is told. */
  readonly #underWay = new Map<string, Set<() => Set<string>>>()
  /** When each member had their data deleted. */
  readonly #forgotten = new Map<string, Deletion[]>()
  /** Members whose link was frozen because somebody else had their gamertag. */
  readonly frozen = new Set<string>()

  said(member: string, user: string | null, span: Span, doubtful = false): void {
    const words = this.#words.get(member) ?? []
    words.push({ user, span, doubtful })
    this.#words.set(member, words)
  }

  /** Notes that a member proved that a user is theirs: all others linked to that user lose their links. */
  proven(member: string, user: string, span: Span, doubtful: boolean): void {
    for (const [other, words] of this.#words) {
      if (other !== member && words.some((word) => word.user === user)) this.said(other, null, span, doubtful)
    }
    this.said(member, user, span, doubtful)
  }

  /**
   * Notes that somebody begins to link. `users` lists the accounts that this may lead to by now. Call the returned
   * function when the linking has ended.
   */
  begins(member: string, users: () => Set<string>): () => void {
    const underWay = this.#underWay.get(member) ?? new Set()
    this.#underWay.set(member, underWay.add(users))
    return () => void underWay.delete(users)
  }

  /**
   * Notes that a member has their data deleted. The returned function takes the time of the deletion, or undefined if
   * it may not have happened.
   */
  forgets(member: string, from: Moment): (to: Moment | undefined) => void {
    const deletion: Deletion = { from, to: undefined }
    this.#forgotten.set(member, [...(this.#forgotten.get(member) ?? []), deletion])
    return (to) => {
      deletion.to = to
    }
  }

  /** Whether a member ever had, or may have had, their data deleted. */
  hasForgotten(member: string): boolean {
    return this.#forgotten.has(member)
  }

  /** Whether the records may still name this user as a former choice of the member. */
  mayRemember(member: string, user: string): boolean {
    const deletions = this.#forgotten.get(member) ?? []
    const words = (this.#words.get(member) ?? []).filter((word) => word.user === user)
    const isUnderWay = [...(this.#underWay.get(member) ?? [])].some((users) => users().has(user))
    const mayBe = ({ span }: Choice) =>
      deletions.every(({ from, to }) => to === undefined || span.to.order > from.order)
    return isUnderWay || words.some(mayBe)
  }

  /** Whether a member's sats that are sent at this moment may go to this user. */
  mayGoTo(member: string, user: string, at: Moment): boolean {
    const words = this.#words.get(member) ?? []
    return words.some((word) => {
      if (word.user !== user || word.span.from.order > at.order) return false
      // A later choice holds from its answer on; work under way at that time may still leave before the next rest.
      return !words.some(
        (later) =>
          !later.doubtful && later.user !== user && isBefore(word.span, later.span) && later.span.to.rest < at.rest,
      )
    })
  }

  /**
   * Returns the wallets that a member certainly had before this moment and that are still remembered, linked or not.
   * Deleting a member's data removes all earlier wallets.
   */
  everHad(member: string, { order }: Moment): Set<string> {
    const words = this.#words.get(member) ?? []
    const deletions = this.#forgotten.get(member) ?? []
    const isRemembered = ({ span }: Choice) =>
      deletions.every(({ to }) => to !== undefined && span.from.order > to.order)
    const had = words.filter((word) => !word.doubtful && word.span.to.order < order && isRemembered(word))
    return new Set(had.flatMap(({ user }) => user ?? []))
  }

  /**
   * Returns the only wallet that a member ever had, if they certainly had it before this moment; undefined if they may
   * have had another.
   */
  onlyWallet(member: string, before: Moment): string | undefined {
    if ((this.#underWay.get(member)?.size ?? 0) > 0) return undefined
    const [user, ...others] = new Set((this.#words.get(member) ?? []).flatMap((word) => word.user ?? []))
    return user !== undefined && others.length === 0 && this.everHad(member, before).has(user) ? user : undefined
  }

  /** Returns every user to whom a member's sats may go at some moment of a span. */
  usersIn(member: string, { from, to }: Span): Set<string> {
    const words = this.#words.get(member) ?? []
    const users = words.filter((word) => {
      if (word.user === null || word.span.from.order > to.order) return false
      return !words.some(
        (later) =>
          !later.doubtful &&
          later.user !== word.user &&
          isBefore(word.span, later.span) &&
          later.span.to.order < from.order,
      )
    })
    const underWay = [...(this.#underWay.get(member) ?? [])].flatMap((each) => [...each()])
    return new Set([...users.map(({ user }) => user as string), ...underWay])
  }

  /** Whether a member was certainly linked, to any account, for the whole span. */
  isCertain(member: string, { from, to }: Pick<Span, 'from' | 'to'>): boolean {
    if (this.frozen.has(member)) return false
    const words = this.#words.get(member) ?? []
    return words.some(
      (word) =>
        word.user !== null &&
        !word.doubtful &&
        word.span.to.order < from.order &&
        !words.some(
          (other) =>
            other.user === null && other.span.to.order > word.span.from.order && other.span.from.order < to.order,
        ),
    )
  }

  /** Whether a member may have unlinked or changed the link after `since`, and before the world's time `byMs`. */
  mayHaveChanged(member: string, since: Moment, byMs: number): boolean {
    if (this.frozen.has(member)) return true
    return (this.#words.get(member) ?? []).some(({ span }) => span.to.order > since.order && span.from.ms < byMs)
  }
}
