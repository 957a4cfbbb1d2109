ALTER TABLE "calls" ADD COLUMN "epoch" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "orphaned_at" timestamp (3) with time zone;