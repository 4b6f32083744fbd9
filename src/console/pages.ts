import { activityPage } from './activity-page.ts';
import type { Page } from './desk.ts';
import { homePage } from './home-page.ts';
import { keysPage } from './keys-page.ts';
import { mailPage } from './mail-page.ts';
import { moneyPage } from './money-page.ts';
import { overviewPage } from './overview-page.ts';

/** The pages of the console, in the order of the navigation. */
export const pages: readonly Page[] = [homePage, overviewPage, mailPage, moneyPage, activityPage, keysPage];
