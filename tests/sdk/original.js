// The exchange of tests/browser/test_activity.py by Discord's SDK.

import { DiscordSDK } from '/node_modules/@discord/embedded-app-sdk/output/index.mjs';
import { APPLICATION, AUTHORIZE, FOREIGN, MOMENT, STATUS, note, token } from '/sdk/exchange.js';

const sdk = new DiscordSDK(APPLICATION, { disableConsoleLogOverride: true });
await sdk.ready();
const { code } = await sdk.commands.authorize(AUTHORIZE);
await sdk.commands.authorize(FOREIGN).catch((error) => note('refused', error.code));
await sdk.commands.authenticate({ access_token: 'made up' }).catch((error) => note('refused', error.code));
const told = await sdk.commands.authenticate({ access_token: await token(code) });
note('user', told.user.id);
await sdk.commands.openShareMomentDialog(MOMENT);
note('status', (await sdk.commands.setActivity(STATUS)).state);
await sdk.subscribe('ACTIVITY_LAYOUT_MODE_UPDATE', (data) => note('layout', data.layout_mode));
note('locale', (await sdk.commands.userSettingsGetLocale()).locale);
sdk.close(1000, 'done');
