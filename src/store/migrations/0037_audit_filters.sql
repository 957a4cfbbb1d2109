CREATE INDEX "audit_entries_actor" ON "audit_entries" USING btree ("chain","actor_id","seq");--> statement-breakpoint
CREATE INDEX "audit_entries_action" ON "audit_entries" USING btree ("chain","action","seq");--> statement-breakpoint
CREATE INDEX "audit_entries_subject" ON "audit_entries" USING btree ("chain","subject","seq");--> statement-breakpoint
CREATE INDEX "audit_entries_at" ON "audit_entries" USING btree ("chain","at");