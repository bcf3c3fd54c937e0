import { expect, it } from 'vitest'
import { openStage } from './harness.ts'

/** Tests a bot with an application secret and an address; test/bot/linked-roles.test.ts tests the consent itself. */

it('with a client secret, the page for linked roles leads to Discord and back', async () => {
  const stage = await openStage({ linkedRoles: true })
  const { emulator, bot } = stage.world
  expect(emulator.oauth.records).toHaveLength(3)
  const page = await fetch(`${bot.callbackUrl}/linked-roles`)
  expect(page.headers.get('content-security-policy')).toContain("form-action 'none'")
  expect(await page.text()).toContain('href="linked-roles/consent"')
  const { headers } = await fetch(`${bot.callbackUrl}/linked-roles/consent`, { redirect: 'manual' })
  const { origin, searchParams } = new URL(headers.get('location') ?? '')
  expect(origin).toBe(new URL(emulator.restUrl).origin)
  expect(searchParams.get('client_id')).toBe(emulator.applicationId)
  expect(searchParams.get('redirect_uri')).toBe(`${bot.callbackUrl}/linked-roles/callback`)
})

it('a bot without an application secret has no page or records for linked roles', async () => {
  const stage = await openStage()
  expect((await fetch(`${stage.world.bot.callbackUrl}/linked-roles`)).status).toBe(404)
  expect(stage.world.emulator.oauth.records).toEqual([])
})
