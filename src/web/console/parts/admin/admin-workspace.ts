import type { TemplateResult } from 'lit-html';
import type { AdminService } from './admin-service.ts';

/** What a page of the service's operator gets, and what it gives back. */

export interface AdminWorkspace {
  service: AdminService;
  repaint(): void;
  /** Loads the page again, without a skeleton. */
  refresh(): Promise<void>;
  /** Leads to a fragment. */
  go(link: string): void;
}

export interface AdminView {
  render(): TemplateResult;
}
