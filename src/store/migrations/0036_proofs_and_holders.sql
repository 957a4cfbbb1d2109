ALTER TABLE "handset_tokens" ADD COLUMN "holder" jsonb;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "inviter_id" text collate "C";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "proved_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "invitations_inviter" ON "invitations" USING btree ("inviter_id");