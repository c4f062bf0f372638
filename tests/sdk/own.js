// The same exchange by the program's own client.

import { Host } from '/static/activity/host.js';
import { APPLICATION, AUTHORIZE, FOREIGN, MOMENT, STATUS, note, token } from '/sdk/exchange.js';

const host = new Host(APPLICATION, new URLSearchParams(location.search));
await host.ready;
const { code } = await host.command('AUTHORIZE', AUTHORIZE);
await host.command('AUTHORIZE', FOREIGN).catch((error) => note('refused', error.code));
await host.command('AUTHENTICATE', { access_token: 'made up' }).catch((error) => note('refused', error.code));
const told = await host.command('AUTHENTICATE', { access_token: await token(code) });
note('user', told.user.id);
await host.command('OPEN_SHARE_MOMENT_DIALOG', MOMENT);
note('status', (await host.command('SET_ACTIVITY', STATUS)).state);
await host.subscribe('ACTIVITY_LAYOUT_MODE_UPDATE', (data) => note('layout', data.layout_mode));
note('locale', (await host.command('USER_SETTINGS_GET_LOCALE')).locale);
host.close(1000, 'done');
