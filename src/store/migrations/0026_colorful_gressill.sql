CREATE TABLE "vendor_credentials" (
	"team_id" text collate "C" NOT NULL,
	"vendor" text NOT NULL,
	"api_key" text NOT NULL,
	"base_url" text,
	"concurrency" integer,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "vendor_credentials_team_id_vendor_pk" PRIMARY KEY("team_id","vendor")
);
--> statement-breakpoint
ALTER TABLE "vendor_credentials" ADD CONSTRAINT "vendor_credentials_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;